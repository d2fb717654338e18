import { Type } from 'typebox'
import { type Route, route } from '../../core/feature/route.ts'
import { AdministratorInput, UserSummary } from '../user/schema.ts'
import { createFirstAdmin, getInitializationStatus } from './initialization.ts'
import { checkSetupToken, type SetupSettings } from './setup-token.ts'

const InitializationStatus = Type.Object(
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

const FirstAdminInput = Type.Object(
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

const FirstAdmin = Type.Object(
  {
    user: UserSummary,
    message: Type.String({
      description: 'What to do next',
      examples: ['The first administrator is created. Sign in with POST /api/auth/login.'],
    }),
  },
  { $id: 'FirstAdmin', description: 'The created administrator.' },
)

const common = { tag: 'Initialization', access: 'anonymous', database: 'catalogue', status: 200 } as const

export function initializationRoutes(settings: SetupSettings): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: '/api/init/status',
      summary: 'Get the initialization status',
      name: 'getInitializationStatus',
      description:
        'A service without users needs initialization: `POST /api/init/first-admin` creates the first administrator.',
      reply: InitializationStatus,
      handle: (context) => getInitializationStatus(context, settings),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/api/init/first-admin',
      summary: 'Create the first administrator',
      name: 'createFirstAdmin',
      description:
        'Works only while the service has no user. In production, and wherever `SETUP_TOKEN` is set, it requires the setup token: in the header `X-Setup-Token` or in the body.',
      body: FirstAdminInput,
      reply: FirstAdmin,
      errors: ['forbidden', 'overloaded'],
      handle: async (context, { body: { setupToken, ...body }, headers }) => {
        const header = headers['x-setup-token']
        checkSetupToken(context.shared, settings, header === undefined ? setupToken : String(header))
        return {
          user: await createFirstAdmin(context, body),
          message: 'The first administrator is created. Sign in with POST /api/auth/login.',
        }
      },
    }),
  ]
}
