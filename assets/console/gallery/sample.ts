/** Sample rows, fields and replies, which the components in the gallery show. */
import { ApiError } from '../api.ts'
import type { App } from '../app-context.ts'
import type { EntityDescription, FieldDescription, Row } from '../describe.ts'
import { fieldOfSchema } from '../schema-fields.ts'

export const long =
  'A sentence that goes on and on, with Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung in the middle of it'
export const rightToLeft = 'طلب جديد من عميل'

export const failure = new ApiError(503, 'The service is busy. Try again in a moment.', {
  headers: new Headers({ 'x-request-id': 'req_01m8cjyc8ne00bpkzbsbz4nfex' }),
})
export const refusal = new ApiError(400, 'subject: must not be empty', {
  headers: new Headers(),
  faults: [{ pointer: '/subject', reason: 'must not be empty' }],
})

function field(name: string, kind: FieldDescription['kind'], more: Partial<FieldDescription> = {}) {
  return { ...fieldOfSchema(name, {}), kind, ...more }
}

const operation = { method: 'POST', path: '/api/tickets', access: 'public' } as const
const words = ['open', 'waiting', 'closed']

export const fields: readonly FieldDescription[] = [
  field('subject', 'text', { isRequired: true, isSearched: true, schema: { maxLength: 200 } }),
  field('status', 'enum', { schema: { enum: words } }),
  field('priority', 'integer', { isNullable: true }),
  field('budget', 'money', { isNullable: true, widget: { kind: 'money', currency: 'EUR' } }),
  field('isUrgent', 'boolean'),
  field('isPublic', 'boolean', { widget: { kind: 'switch' } }),
  field('dueOn', 'date', { isNullable: true }),
  field('answeredAt', 'timestamp', { isNullable: true }),
  field('tags', 'json', { schema: { type: 'array', items: { type: 'string' } } }),
  field('details', 'json', { isNullable: true }),
  field('email', 'text', { isNullable: true, widget: { kind: 'email' } }),
  field('tint', 'text', { isNullable: true, widget: { kind: 'color' } }),
  field('description', 'text', { isNullable: true, schema: { maxLength: 10_000 } }),
]

export const entity: EntityDescription = {
  name: 'ticket',
  plural: 'tickets',
  label: 'ticket',
  labels: 'tickets',
  description: 'What a customer asks for.',
  title: 'subject',
  defaultColumns: ['subject', 'status', 'budget', 'dueOn'],
  isSearched: true,
  sortedBy: ['subject', 'budget', 'dueOn'],
  isLive: false,
  subscriptions: [],
  operations: { create: operation, change: operation },
  fields,
  actions: [],
  console: {
    tint: 'amber',
    badges: [{ name: 'status', tones: { open: 'info', waiting: 'warn', closed: 'good' } }],
  },
}

export const rows: readonly Row[] = [
  {
    id: 'one',
    subject: 'Printer on fire in building two',
    status: 'open',
    priority: 1,
    budget: 1250,
    isUrgent: true,
    dueOn: '2026-01-31',
    answeredAt: '2026-01-30T09:15:00.000Z',
    tags: ['printer', 'fire'],
    details: { floor: 2 },
    email: 'ada@example.com',
    tint: '#0b68b8',
    description: 'Somebody should look at it **today**.',
  },
  { id: 'two', subject: long, status: 'waiting', priority: -20, budget: 1_000_000.5, isUrgent: false },
  { id: 'three', subject: rightToLeft, status: 'closed', priority: null, budget: null, isUrgent: false },
]

export const app: App = {
  user: {
    id: 'ada',
    userName: 'ada',
    firstName: 'Ada',
    lastName: 'Lovelace',
    tenantId: 'acme',
    roles: [],
    permissions: [],
    impersonator: { userName: 'admin' },
  },
  entities: [entity],
  frames: [],
  can: () => false,
}

/** The handler of all buttons in the gallery, which does nothing. */
export function nothing(): undefined {
  return undefined
}
