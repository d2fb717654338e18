import { type Static, Type } from 'typebox'
import { Text } from '../../core/schema/schema.ts'
import { SignIn } from '../session/schema.ts'

export const maxMinutes = 60
export const defaultMinutes = 15

export const reason = Text(1, 500, { description: 'Why; the tenant reads it', examples: ['Ticket 4711'] })

export const ImpersonationInput = Type.Object(
  {
    reason,
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxMinutes,
        default: defaultMinutes,
        description: 'How long the token is valid',
        examples: [defaultMinutes],
      }),
    ),
  },
  { $id: 'ImpersonationInput', description: 'Why and how long to act as a user.' },
)

const { refreshToken: _refreshToken, ...members } = SignIn.properties

export const Impersonation = Type.Object(members, {
  $id: 'Impersonation',
  description: 'A token with which an administrator acts as the user. It cannot be renewed.',
})

export type Impersonation = Static<typeof Impersonation>
export type ImpersonationInput = Static<typeof ImpersonationInput>
