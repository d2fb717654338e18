/** The members of a fault that say to programs what is wrong. */
import { Type } from 'typebox'

export const codedFault = {
  code: Type.Optional(
    Type.String({
      description: 'The kind of the fault; absent for what an application refuses in words of its own',
      examples: ['tooSmall'],
    }),
  ),
  parameters: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: 'What the sentence of the kind names',
      examples: [{ limit: 0 }],
    }),
  ),
}
