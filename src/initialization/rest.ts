import { Type } from 'typebox'
import { type Route, route } from '../http/route.ts'
import { AdministratorInput, UserSummary } from '../user/schema.ts'
import { createFirstAdmin, getInitializationStatus } from './initialization.ts'

const InitializationStatus = Type.Object(
  {
    needsInitialization: Type.Boolean(),
    userCount: Type.Integer(),
    message: Type.String({ examples: ['The service is initialized.'] }),
  },
  { $id: 'InitializationStatus' },
)

const FirstAdmin = Type.Object(
  { user: UserSummary, message: Type.String({ examples: ['The first administrator is created.'] }) },
  { $id: 'FirstAdmin' },
)

const common = { tag: 'Initialization', access: 'anonymous', database: 'catalogue', status: 200 } as const

export const initializationRoutes: Route[] = [
  route({
    ...common,
    method: 'GET',
    path: '/api/init/status',
    summary: 'Ask whether the service has a user yet',
    reply: InitializationStatus,
    handle: (context) => getInitializationStatus(context),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/init/first-admin',
    summary: 'Create the first administrator',
    description: 'Works once, while there is no user.',
    body: AdministratorInput,
    reply: FirstAdmin,
    errors: ['overloaded'],
    handle: async (context, { body }) => ({
      user: await createFirstAdmin(context, body),
      message: 'The first administrator is created. Sign in with POST /api/auth/login.',
    }),
  }),
]
