/** How long a browser takes until somebody can type into the form of the console that signs in. */
import { openPage, startBrowser } from '../../test/support/browser.ts'
import { findChromium } from '../../test/support/run/chromium.ts'
import { initialize, removeFolder, startService } from '../service.ts'
import { type Finding, median, range } from './finding.ts'

const loads = 10

/** Cold: nothing is cached. Warm: the page was loaded before. @returns none without Chromium */
export async function measureConsole(): Promise<Finding[]> {
  if ((await findChromium()) === null) return []
  const service = await startService()
  const browser = await startBrowser()
  try {
    await initialize(service.url)
    const cold: number[] = []
    const warm: number[] = []
    for (let load = 0; load < loads; load++) {
      const { page } = await openPage(browser, 'about:blank')
      for (const times of [cold, warm]) {
        const began = performance.now()
        await page.goto(`${service.url}/console`)
        await page.getByLabel('User name or email').fill('a')
        times.push(performance.now() - began)
      }
      await page.context().close()
    }
    return [findingOf('cold', cold), findingOf('warm', warm)]
  } finally {
    await browser.close()
    await service.stop()
    removeFolder(service.folder)
  }
}

function findingOf(kind: string, times: readonly number[]): Finding {
  const [least, most] = range(times)
  return {
    row: 'console',
    work: `console, from its address to typing, ${kind}`,
    figure: `${median(times).toFixed(0)} ms`,
    target: null,
    reached: true,
    detail: `${times.length} loads: ${least.toFixed(0)} to ${most.toFixed(0)} ms`,
  }
}
