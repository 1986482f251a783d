import { defineConfig } from '@playwright/test';

// Without CHROMIUM_PATH, the tests use the browser that "npx playwright install chromium" installs.
export default defineConfig({ use: { launchOptions: { executablePath: process.env.CHROMIUM_PATH } } });
