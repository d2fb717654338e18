import { Type } from 'typebox'

/** A token as its user sends it back. */
export const MailedToken = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'From the mail',
  writeOnly: true,
  examples: ['pq0Zb3…'],
})
