/** Tests that drive Chromium: one process runs all of them with one browser. */
import { findChromium } from './chromium.ts'

export function isBrowserTest(file: string): boolean {
  return file.endsWith('.browser.test.ts')
}

/** @returns those of the files that cannot be tried for want of Chromium */
export async function untriedOf(files: readonly string[]): Promise<string[]> {
  const driving = files.filter(isBrowserTest)
  return driving.length === 0 || (await findChromium()) !== null ? [] : driving
}

/** @param isAllowed by `--allow-untried` */
export function untriedNote(files: readonly string[], isAllowed: boolean): string {
  return [
    '\n== NOT TRIED, because there is no Chromium on this machine:',
    ...files.map((file) => `  ${file}`),
    'CHROMIUM_PATH says where another one is.',
    isAllowed ? '' : 'Without these files the run has failed; --allow-untried lets it pass.\n',
  ].join('\n')
}
