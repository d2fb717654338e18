/**
 * Shortcuts of a single key, without Ctrl or Alt. A user who dictates, or presses keys by accident, can switch them off
 * (WCAG 2.1.4).
 */
import { storedChoice } from './portal.ts'

const key = 'tenantry.singleKeys'

export function hasSingleKeys(): boolean {
  return storedChoice(key) !== 'off'
}

export function chooseSingleKeys(areOn: boolean): void {
  localStorage.setItem(key, areOn ? 'on' : 'off')
}

/** @returns the letter in lower case; `null` for a key that is typed into a control, or that the browser uses */
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
