import { defineConfig } from "vite";

// The built pages lie beside the server's code, so that a wheel carries them.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../src/arcwright/server/pages",
    emptyOutDir: true,
    sourcemap: false,
    chunkSizeWarningLimit: 1200,
    license: { fileName: "licenses.md" }, // of the libraries that the page carries
  },
});
