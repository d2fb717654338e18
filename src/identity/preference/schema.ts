import { type Static, Type } from 'typebox'
import { Timestamp } from '../../core/schema/schema.ts'

/** The maximum number of preferences of one user. */
export const maxPreferences = 100
/** The maximum size of one value, as JSON. */
export const maxPreferenceBytes = 8 * 1024

export const preferencePattern = '^[a-z][A-Za-z0-9.-]{0,63}$'
export const preferenceNameRule =
  'must begin with a lower-case letter, followed by at most 63 letters, digits, . and -'

export const PreferenceName = Type.String({
  maxLength: 64,
  pattern: preferencePattern,
  'x-reason': preferenceNameRule,
  description: 'Chosen by the client',
  examples: ['columns.ticket'],
})

const value = Type.Unknown({ description: 'Any JSON of at most 8 kB', examples: ['compact'], 'x-json': true })

export const Preference = Type.Object(
  { name: PreferenceName, value, updatedAt: Timestamp },
  { $id: 'Preference', description: 'What a client keeps for its user.' },
)

export const PreferenceInput = Type.Object(
  { value },
  { $id: 'PreferenceInput', description: 'The new value of a preference.' },
)

export type Preference = Static<typeof Preference>
