/** Tests that drive Chromium: one process runs all of them with one browser. */
export function isBrowserTest(file: string): boolean {
  return file.endsWith('.browser.test.ts')
}
