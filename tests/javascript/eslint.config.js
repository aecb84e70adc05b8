// What may be wrong in a script, not how it is laid out.
import js from "@eslint/js";
import globals from "globals";
import { configs } from "typescript-eslint";

export default [
  js.configs.recommended,
  ...configs.recommendedTypeChecked,
  {
    languageOptions: {
      globals: globals.browser,
      parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "array-callback-return": "error",
      "eqeqeq": "error",
      "no-promise-executor-return": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-unmodified-loop-condition": "error",
      "no-unreachable-loop": "error",
      "require-atomic-updates": "error",
      "@typescript-eslint/no-unnecessary-type-assertion": "error",
      "@typescript-eslint/strict-boolean-expressions": "off",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      // What a stranger wrote must not become markup.
      "no-restricted-properties": ["error", ...["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe"].map(
        (property) => ({ property, message: "Text stays text: use textContent or append." }),
      )],
    },
  },
  { files: ["**/sort.js"], languageOptions: { sourceType: "script" } },
];
