/** The rules of accessibility, as axe tries them on what a page shows. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Frame, Page } from 'playwright-core'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Those whose outcome depends on the colours and the width of a page. */
const rulesOfLooks = ['color-contrast', 'scrollable-region-focusable', 'link-in-text-block']

interface Violation {
  id: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** @returns a line for each violation */
export function violationsOf(page: Page | Frame): Promise<string[]> {
  return run(page, {})
}

/** In the other theme and the other layout of a page that `violationsOf` has looked at. */
export function violationsOfLooks(page: Page | Frame): Promise<string[]> {
  return run(page, { runOnly: rulesOfLooks })
}

async function run(page: Page | Frame, options: object): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe)
  const given = JSON.stringify({ ...options, resultTypes: ['violations'], preload: false })
  const found: Violation[] = await page.evaluate(
    `axe.run(document, ${given}).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
