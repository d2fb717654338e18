import { Type } from 'typebox'

/** A token from the link of a mail, in a request. */
export const MailedToken = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'From the mail',
  writeOnly: true,
  examples: ['pq0Zb3…'],
})
