/** Actions on the page `/graphql/ui`. */
import type { Locator, Page } from 'playwright-core'
import { eventually, soonMs } from '../../../support/eventually.ts'

/** @param name the accessible name */
export function editor(page: Page, name: string): Locator {
  return page.locator(`section[aria-label="${name}"] .graphiql-editor:not(.hidden) .CodeMirror`)
}

export async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await editor(page, name).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
}

export async function writeOperation(page: Page, operation: string, text: string): Promise<void> {
  await typeInto(page, 'Query Editor', text)
  await noticed(page, operation)
}

export async function openTab(page: Page, operation: string): Promise<void> {
  await page.getByTitle(operation, { exact: true }).click()
  await noticed(page, operation)
}

/** The page reads the editor after a delay, and then knows which operations can be run. */
async function noticed(page: Page, operation: string): Promise<void> {
  await eventually(`${operation} is noticed`, soonMs, async () => {
    return (await page.evaluate("localStorage.getItem('graphiql:operationName')")) === operation
  })
}

export function executeQuery(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Execute query' }).click()
}

export async function shows(page: Page, answer: RegExp): Promise<void> {
  await page.getByRole('region', { name: 'Result Window' }).filter({ hasText: answer }).waitFor()
}
