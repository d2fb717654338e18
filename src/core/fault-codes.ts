/**
 * The codes of faults in a field of a request. Programs read them, and clients use them to say a fault in other
 * languages: a code therefore has the parameters that its sentence needs.
 */

interface FaultType {
  text: string
  parameters?: readonly string[]
}

export const faultTypes = {
  required: { text: 'The value is missing' },
  unknownMember: { text: 'There is no such member or parameter' },
  wrongType: { text: 'The value is of another type', parameters: ['type'] },
  notOneOf: { text: 'The value is none of those that are possible', parameters: ['values'] },
  tooShort: { text: 'The text has fewer characters than `limit`', parameters: ['limit'] },
  tooLong: { text: 'The text has more characters than `limit`', parameters: ['limit'] },
  tooSmall: { text: 'The number is less than `limit`', parameters: ['limit'] },
  tooBig: { text: 'The number is greater than `limit`', parameters: ['limit'] },
  notAbove: { text: 'The number is not greater than `limit`', parameters: ['limit'] },
  notBelow: { text: 'The number is not less than `limit`', parameters: ['limit'] },
  notMultiple: { text: 'The number is no multiple of `limit`', parameters: ['limit'] },
  tooFew: { text: 'There are fewer entries than `limit`', parameters: ['limit'] },
  tooMany: { text: 'There are more entries than `limit`', parameters: ['limit'] },
  notUnique: { text: 'An entry occurs twice' },
  badFormat: { text: 'The text is no valid `format`', parameters: ['format'] },
  badPattern: { text: 'The text has not the form that is asked for' },
  badMailAddress: { text: 'Mails cannot be sent to this address' },
  badColor: { text: 'The text is no colour' },
  badCharacters: { text: 'The text has characters that cannot be stored' },
  badAddress: { text: 'The address cannot be called' },
  badCursor: { text: 'The cursor is not of this list' },
  mismatch: { text: 'The value does not match its schema' },
  tooLarge: { text: 'The value has more than `limit` of `unit`', parameters: ['limit', 'unit'] },
  taken: { text: 'Another one has this value' },
  notFound: { text: 'Nothing has this id or name, or the caller may not see it' },
  unknownName: { text: 'A name in the value is not known' },
  wrong: { text: 'The password, the code or the confirmation is wrong' },
  expired: { text: 'The token is mistyped, used, withdrawn or expired' },
  reserved: { text: 'The value is reserved' },
  notPossible: { text: 'The value is not possible with the others, or for this caller' },
  fixed: { text: 'The value does not change' },
  changed: { text: 'The number is another one now', parameters: ['present'] },
  past: { text: 'The moment is not in the future' },
  commonPassword: { text: 'The password is common, or in a list of breached ones' },
  nameAsPassword: { text: 'The password is a name of the user or the tenant' },
  wrongFileType: { text: 'The file is of another type', parameters: ['types'] },
  providerFailed: { text: 'The identity provider does not work' },
} as const satisfies Readonly<Record<string, FaultType>>

export type FaultCode = keyof typeof faultTypes

/** A code with its parameters. */
export type FaultKind = {
  [C in FaultCode]: (typeof faultTypes)[C] extends { parameters: readonly (infer P extends string)[] }
    ? { code: C; parameters: Readonly<Record<P, string | number>> }
    : { code: C }
}[FaultCode]

export type PlainFaultCode = Exclude<FaultKind, { parameters: unknown }>['code']

/** The codes of the faults that a JSON Schema finds, by its keyword. */
const ofKeywords: Readonly<Record<string, (params: Record<string, unknown>) => FaultKind>> = {
  type: ({ type }) => ({ code: 'wrongType', parameters: { type: [type].flat().join(', ') } }),
  minLength: ({ limit }) => ({ code: 'tooShort', parameters: { limit: Number(limit) } }),
  maxLength: ({ limit }) => ({ code: 'tooLong', parameters: { limit: Number(limit) } }),
  minimum: ({ limit }) => ({ code: 'tooSmall', parameters: { limit: Number(limit) } }),
  maximum: ({ limit }) => ({ code: 'tooBig', parameters: { limit: Number(limit) } }),
  exclusiveMinimum: ({ limit }) => ({ code: 'notAbove', parameters: { limit: Number(limit) } }),
  exclusiveMaximum: ({ limit }) => ({ code: 'notBelow', parameters: { limit: Number(limit) } }),
  multipleOf: ({ multipleOf }) => ({ code: 'notMultiple', parameters: { limit: Number(multipleOf) } }),
  minItems: ({ limit }) => ({ code: 'tooFew', parameters: { limit: Number(limit) } }),
  maxItems: ({ limit }) => ({ code: 'tooMany', parameters: { limit: Number(limit) } }),
  minProperties: ({ limit }) => ({ code: 'tooFew', parameters: { limit: Number(limit) } }),
  maxProperties: ({ limit }) => ({ code: 'tooMany', parameters: { limit: Number(limit) } }),
  uniqueItems: () => ({ code: 'notUnique' }),
  format: ({ format }) => ({ code: 'badFormat', parameters: { format: String(format) } }),
  pattern: () => ({ code: 'badPattern' }),
  additionalProperties: () => ({ code: 'unknownMember' }),
}

/** @param keyword of JSON Schema @param params the details that the validating library gives for this keyword */
export function kindOfKeyword(keyword: string, params: object): FaultKind {
  return ofKeywords[keyword]?.({ ...params }) ?? { code: 'mismatch' }
}
