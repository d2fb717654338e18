/** The pages about all tenants and the service itself, for the host. */
import type { ConsolePage } from './console-page.ts'
import { lazy } from './lazy.tsx'
import { text } from './text/text.ts'

const Tenants = lazy(async () => (await import('./page/operate.ts')).operatePages.TenantsPage)
const Figures = lazy(async () => (await import('./page/operate.ts')).operatePages.FiguresPage)
const Health = lazy(async () => (await import('./page/operate.ts')).operatePages.HealthPage)
const Instances = lazy(async () => (await import('./page/operate.ts')).operatePages.InstancesPage)
const SignUps = lazy(async () => (await import('./page/access.ts')).accessPages.SignUpsPage)
const Operations = lazy(async () => (await import('./page/operate.ts')).operatePages.OperationsPage)
const DeadLetters = lazy(async () => (await import('./page/operate.ts')).operatePages.DeadLettersPage)

const operate = { area: 'operate', group: text.navigation.areas.operate } as const

export const operatorPages: readonly ConsolePage[] = [
  {
    ...operate,
    path: '/tenants',
    label: text.navigation.tenants,
    permissions: ['tenant:read'],
    show: () => <Tenants />,
  },
  {
    ...operate,
    path: '/sign-ups',
    label: text.access.signUps.title,
    permissions: ['sign-up:read'],
    isForHost: true,
    show: () => <SignUps />,
  },
  {
    ...operate,
    path: '/health',
    label: text.operator.health.title,
    permissions: ['operation:read'],
    show: () => <Health />,
  },
  {
    ...operate,
    path: '/dead-letters',
    label: text.operator.deadLetters.title,
    permissions: ['operation:read'],
    show: () => <DeadLetters />,
  },
  {
    ...operate,
    path: '/operations',
    label: text.operator.operations.title,
    permissions: ['operation:read'],
    show: () => <Operations />,
  },
  {
    ...operate,
    path: '/figures',
    label: text.operator.figures.title,
    permissions: ['operation:read'],
    show: () => <Figures />,
  },
  {
    ...operate,
    path: '/instances',
    label: text.operator.instances.title,
    permissions: ['operation:read'],
    show: () => <Instances />,
  },
]
