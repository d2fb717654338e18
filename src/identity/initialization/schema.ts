import { type Static, Type } from 'typebox'
import { AdministratorInput, UserSummary } from '../user/schema.ts'

export const InitializationStatus = Type.Object(
  {
    needsInitialization: Type.Boolean({
      description: 'Whether the first administrator has to be created',
    }),
    needsSetupToken: Type.Boolean({
      description: 'Whether that requires the setup token; `false` once there is a user',
    }),
    userCount: Type.Integer({ minimum: 0, description: 'Users of all tenants', examples: [1] }),
    message: Type.String({
      description: 'The status as a sentence',
      examples: ['The service is initialized.'],
    }),
  },
  { $id: 'InitializationStatus', description: 'Whether the service has a user yet.' },
)

export const FirstAdminInput = Type.Object(
  {
    ...AdministratorInput.properties,
    setupToken: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The setup token, where one is asked for',
        writeOnly: true,
        examples: ['Xo2…'],
      }),
    ),
  },
  { $id: 'FirstAdminInput', description: 'The first administrator.' },
)

export const FirstAdmin = Type.Object(
  {
    user: UserSummary,
    message: Type.String({
      description: 'What to do next',
      examples: ['The first administrator is created. Sign in with POST /api/auth/login.'],
    }),
  },
  { $id: 'FirstAdmin', description: 'The created administrator.' },
)

export type InitializationStatus = Static<typeof InitializationStatus>
