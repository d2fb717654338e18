/** The form with which the reference pages sign in; they keep tokens in memory only. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { password } from '../../../support/service.ts'

interface Given {
  userName: string
  secret?: string
  tenantId?: string
}

export function form(page: Page): Locator {
  return page.getByRole('form', { name: 'Sign in' })
}

export async function submitForm(page: Page, given: Given): Promise<void> {
  const { userName, secret = password, tenantId = '' } = given
  await form(page).getByLabel('User name').fill(userName)
  await form(page).getByLabel('Password').fill(secret)
  await form(page).getByLabel('Tenant').fill(tenantId)
  await form(page).getByRole('button', { name: 'Sign in' }).click()
}

export async function said(page: Page, text: RegExp): Promise<void> {
  await form(page).getByRole('status').filter({ hasText: text }).waitFor()
}

/** Neither in what outlives the page, nor in a field that others may look at. */
export async function keepsNothing(page: Page): Promise<void> {
  const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'
  assert.doesNotMatch(String(await page.evaluate(stored)), /eyJ|Admin@123/)
  assert.equal(await form(page).getByLabel('Password').inputValue(), '')
}
