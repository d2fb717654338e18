/**
 * Checks who may write attributes of users, API keys and invitations. Attributes are declared by the application,
 * and row rules compare them: they decide which rows a user reads.
 */

import { userIdOf } from '../../core/actor.ts'
import { type AttributeChange, type Attributes, textOf } from '../../core/attributes.ts'
import { completedText } from '../../core/completion.ts'
import type { Context } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'
import { lacking, type Permission } from '../../core/permission.ts'
import type { UserAttribute } from './schema.ts'

export const attributePermission: Permission = 'user:write'

/** The attributes of a row, except those that the application no longer declares. */
export const declaredAttributes = completedText(
  ({ shared }, texts) => texts.map((text) => shared.attributes.stored(text)),
  {},
)

/**
 * @param change the attributes of a new user or API key
 * @returns the value of the column
 * @throws ServiceError `invalid` for an attribute that is not declared, or a value that does not match; `forbidden`
 */
export function newAttributes(context: Context, change: AttributeChange | undefined): string | null {
  if (change === undefined || Object.keys(change).length === 0) return null
  requireAttributeRights(context)
  return textOf(context.shared.attributes.changed({}, change))
}

/**
 * Changes the attributes of a user. Stored values that are not declared any more stay, in
 * case that they are declared again.
 * @returns the value of the column after the change; `undefined` if nothing changes
 * @throws ServiceError as `newAttributes`; `forbidden` for the actor's own attributes
 */
export function changedAttributes(
  context: Context,
  { id, attributes: stored }: { id: string; attributes: string | null },
  change: AttributeChange | undefined,
): string | null | undefined {
  if (change === undefined) return undefined
  const { attributes: declared } = context.shared
  const all: Attributes = stored === null ? {} : JSON.parse(stored)
  const after = textOf(declared.changed(all, change))
  if (after === textOf(declared.changed(all, {}))) return undefined
  requireAttributeRights(context)
  if (context.actor !== null && userIdOf(context.actor) === id) throw refusal('ownAttributes')
  return after
}

/** @returns the attributes that the application declares */
export function listAttributes({ shared }: Context): UserAttribute[] {
  return shared.attributes.list().map(([name, { kind, values, description }]) => ({
    name,
    kind,
    description,
    values: values === null ? null : [...values],
  }))
}

function requireAttributeRights({ actor }: Context): void {
  if (actor?.permissions.has(attributePermission) === false) throw lacking(attributePermission)
}
