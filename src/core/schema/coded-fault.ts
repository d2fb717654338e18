/**
 * Schemas of the members in an error reply that tell programs what is wrong: a code, and the parameters of its text.
 */
import { Type } from 'typebox'

const parameters = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
  description: 'What the sentence of the code names',
  examples: [{ limit: 0 }],
})

/** The members of a whole request's error. */
export const codedError = {
  code: Type.String({
    description: 'What was refused, for programs: the kind of the error, or a code that says more',
    examples: ['permissionLacking'],
  }),
  parameters: Type.Optional(parameters),
}

export const codedFault = {
  code: Type.Optional(
    Type.String({
      description: 'The kind of the fault; absent for what an application refuses in words of its own',
      examples: ['tooSmall'],
    }),
  ),
  parameters: Type.Optional(parameters),
}
