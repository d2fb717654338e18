import { type ActionHints, tones } from '../../core/feature/console-hints.ts'
import { iconNames } from '../../core/feature/icons.ts'
import type { NamedFields } from './named-fields.ts'

/**
 * Checks how a definition wants the console to show the actions of its rows.
 * @param names of the actions of the entity
 * @throws Error for an unknown name, or a key that two actions have
 */
export function actionHintsOf(
  fields: NamedFields,
  given: Readonly<Record<string, ActionHints | undefined>>,
  names: readonly string[],
): Map<string, ActionHints> {
  const keys = new Map<string, string>()
  const hints = new Map<string, ActionHints>()
  for (const [name, action = {}] of Object.entries(given)) {
    const place = `console.actions.${name}`
    fields.oneOf('console.actions', name, names, 'no action')
    const { icon, tone, undo, key } = action // `undo`: the action that reverts this one
    if (icon !== undefined) fields.oneOf(`${place}.icon`, icon, iconNames, 'no icon')
    if (tone !== undefined) fields.oneOf(`${place}.tone`, tone, tones, 'no tone')
    if (undo !== undefined) fields.oneOf(`${place}.undo`, undo, names, 'no action')
    if (key !== undefined) requireKey(fields, place, { key, name, keys })
    hints.set(name, { ...action })
  }
  return hints
}

function requireKey(
  fields: NamedFields,
  place: string,
  { key, name, keys }: { key: string; name: string; keys: Map<string, string> },
): void {
  if (!/^[a-z]$/.test(key)) fields.refuse(`${place}.key`, `${key} is no key: write a letter like x`)
  const other = keys.get(key)
  if (other !== undefined) fields.refuse(`${place}.key`, `${key} is the key of ${other} as well`)
  keys.set(key, name)
}
