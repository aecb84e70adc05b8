// @ts-check
// Parts of pages: looked up as what they are, and built. Text becomes text: nothing here reads markup.

/**
 * The element that a template promises.
 * @template {Element} Kind
 * @param {ParentNode} within
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function one(within, selector, kind) {
  const element = within.querySelector(selector);
  if (element instanceof kind) return element;
  throw new TypeError(`${selector} is no ${kind.name}`);
}

/**
 * Those that there are.
 * @template {Element} Kind
 * @param {ParentNode} within
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind[]}
 */
export function all(within, selector, kind) {
  return Array.from(within.querySelectorAll(selector)).filter(
    /** @returns {element is Kind} */ (element) => element instanceof kind,
  );
}

/**
 * @param {HTMLTableElement} table
 * @returns {HTMLTableSectionElement}
 */
export function headOf(table) {
  return table.tHead ?? table.createTHead();
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} properties
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function node(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/**
 * @param {string} text
 * @param {() => void} act
 */
export function button(text, act) {
  const element = node("button", { type: "button" }, text);
  element.addEventListener("click", act);
  return element;
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {Node[]} children
 */
export function drawn(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/**
 * A stranger's text: it turns nothing around that stands beside it.
 * @param {string} text
 */
export function isolated(text) {
  return node("bdi", {}, text);
}

/**
 * @param {string} className
 * @param {string} text
 */
export function span(className, text) {
  return node("span", { className }, text);
}
