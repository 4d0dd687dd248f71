import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

// Each folder may import those before it, and none after it; those of one row lie side by side.
const LAYERS = [
  ["wire"],
  ["state"],
  ["controls"],
  ["constraints"],
  ["devices"],
  ["tools"],
  ["viewport", "timeline"],
  ["gestures"],
  ["panels"],
  ["lessons", "stages"],
];

const layerRules = LAYERS.flatMap((layer, rank) =>
  layer.map((folder) => {
    const above = LAYERS.slice(rank)
      .flat()
      .filter((other) => other !== folder);
    const layers = {
      regex: `^(\\.\\./)+((${above.join("|")})/|(main|handle|stopwatch)$)`,
      message: `${folder} lies below it: see the layers in eslint.config.js.`,
    };
    return {
      files: [`src/${folder}/**/*.ts`],
      rules: { "no-restricted-imports": ["error", { patterns: [layers] }] },
    };
  }),
);

export default tseslint.config(
  { ignores: ["node_modules/", "dist/"] },
  ...tseslint.configs.recommended,
  {
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-var": "error",
      "prefer-const": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-expressions": [
        "error",
        { allowShortCircuit: true, allowTernary: true },
      ],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    },
  },
  ...layerRules,
  prettier,
);
