import { Type } from 'typebox'

/** The refusal of a password without the required kinds of characters. */
export const weakPassword =
  'must have an upper-case letter, a lower-case letter, a digit and one other character'

export const maxPasswordLength = 128

/** The password rule: length, and an upper-case letter, a lower-case letter, a digit and one other character. */
export const Password = Type.Refine(
  Type.String({
    minLength: 8,
    maxLength: maxPasswordLength,
    description: 'With an upper-case letter, a lower-case letter, a digit and one other character',
    examples: ['Admin@123'],
    format: 'password',
    writeOnly: true,
  }),
  (value) => /\p{Lu}/u.test(value) && /\p{Ll}/u.test(value) && /\d/.test(value) && /[^\p{L}\d]/u.test(value),
  () => weakPassword,
)
