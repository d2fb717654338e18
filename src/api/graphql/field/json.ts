/** JSON text made of members that are JSON text already. */
import type { Picked } from '../document/plan.ts'

/** Names of results need no escapes: they are names of the language. */
export function jsonObjectOf<M extends { as: string }>(
  members: readonly M[],
  render: (member: M) => string,
): string {
  return `{${members.map((member) => `"${member.as}":${render(member)}`).join()}}`
}

/** @param typeName of the object, where it is asked for */
export function pickedJson(value: object, picked: readonly Picked[], typeName: string): string {
  const members: Record<string, unknown> = { ...value, __typename: typeName }
  return jsonObjectOf(picked, ({ name }) => JSON.stringify(members[name] ?? null))
}
