/** Tests that drive Chromium: one process runs all of them with one browser. */
import { findChromium } from './chromium.ts'
import { isProxyTest, missingProxies } from './proxy-tests.ts'

export function isBrowserTest(file: string): boolean {
  return file.endsWith('.browser.test.ts')
}

/** @returns those of the files that cannot be tried for want of Chromium, or of a proxy */
export async function untriedOf(files: readonly string[]): Promise<string[]> {
  const driving = files.filter(isBrowserTest)
  const untried = driving.length === 0 || (await findChromium()) !== null ? [] : driving
  return missingProxies().length === 0 ? untried : [...untried, ...files.filter(isProxyTest)]
}

/** @param isAllowed by `--allow-untried` */
export function untriedNote(files: readonly string[], isAllowed: boolean): string {
  const missing = [
    ...(files.some(isBrowserTest) ? ['Chromium'] : []),
    ...(files.some(isProxyTest) ? missingProxies() : []),
  ].join(', ')
  return [
    `\n== NOT TRIED, because this machine does not have ${missing}:`,
    ...files.map((file) => `  ${file}`),
    ...(files.some(isBrowserTest) ? ['CHROMIUM_PATH says where another Chromium is.'] : []),
    isAllowed ? '' : 'Without these files the run has failed; --allow-untried lets it pass.\n',
  ].join('\n')
}
