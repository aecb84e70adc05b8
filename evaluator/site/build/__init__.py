"""Pages and files -> the folder of the site, where anything changed; MkDocs around them."""
