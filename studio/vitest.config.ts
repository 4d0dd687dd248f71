import { defineConfig } from "vitest/config";

// Style sheets are read by a test of their colours; without this they are empty.
export default defineConfig({ test: { css: true } });
