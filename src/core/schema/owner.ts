import { type Static, Type } from 'typebox'
import { Nullable, StringEnum } from './schema.ts'

/** The owner of a subscription or a rule in replies. */

const kinds = ['user', 'apiKey'] as const

/** @returns the schema of an owner @param description what the owner is the owner of */
export const Owner = (description: string) =>
  Nullable(
    Type.Object(
      {
        kind: StringEnum(kinds, {
          description: 'What the owner is',
          examples: ['user'],
        }),
        id: Type.String({
          description: 'Of the user, or of the API key',
          examples: ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'],
        }),
      },
      { description: `${description}; \`null\` for the administrators of the tenant` },
    ),
  )

export type ShownOwner = Static<ReturnType<typeof Owner>>

/** @param owner as it is stored */
export function describeOwner(owner: string | null): ShownOwner {
  if (owner === null) return null
  const [kind, id = ''] = owner.split(':')
  return { kind: kind as (typeof kinds)[number], id } // written by `ownerOf`
}
