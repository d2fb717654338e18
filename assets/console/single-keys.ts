/** Keys without Ctrl or Alt, which a user who speaks or strikes keys by accident switches off (WCAG 2.1.4). */
import { storedChoice } from './portal.ts'

const key = 'tenantry.singleKeys'

export function hasSingleKeys(): boolean {
  return storedChoice(key) !== 'off'
}

export function chooseSingleKeys(areOn: boolean): void {
  localStorage.setItem(key, areOn ? 'on' : 'off')
}

/** @returns the letter in lower case, or `null` for what is typed into a control or belongs to the browser */
export function singleKeyOf(event: KeyboardEvent): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1 || !hasSingleKeys())
    return null
  const { target } = event
  const isTyped =
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input:not([type=checkbox]), select, textarea, dialog') !== null)
  return isTyped ? null : event.key.toLowerCase()
}
