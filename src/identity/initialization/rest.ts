import { type Route, route } from '../../core/feature/route.ts'
import { createFirstAdmin, getInitializationStatus } from './initialization.ts'
import { FirstAdmin, FirstAdminInput, InitializationStatus } from './schema.ts'
import { checkSetupToken, type SetupSettings } from './setup-token.ts'

const common = { tag: 'Initialization', access: 'anonymous', database: 'catalogue' } as const

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
