/** The pages about all tenants and the service itself, for the host. */
import type { ConsolePage } from './console-page.ts'
import { lazy } from './lazy.tsx'
import { text } from './text/text.ts'

const Figures = lazy(async () => (await import('./page/operator/figures-page.tsx')).FiguresPage)
const Health = lazy(async () => (await import('./page/operator/health.tsx')).HealthPage)
const Instances = lazy(async () => (await import('./page/operator/instances.tsx')).InstancesPage)
const SignUps = lazy(async () => (await import('./page/sign-up/sign-ups.tsx')).SignUpsPage)
const Operations = lazy(async () => (await import('./page/operator/operations.tsx')).OperationsPage)

export const operatorPages: readonly ConsolePage[] = [
  {
    path: '/sign-ups',
    label: text.access.signUps.title,
    group: text.navigation.operation,
    permissions: ['sign-up:read'],
    isForHost: true,
    show: () => <SignUps />,
  },
  {
    path: '/health',
    label: text.operator.health.title,
    group: text.navigation.operation,
    permissions: ['operation:read'],
    show: () => <Health />,
  },
  {
    path: '/operations',
    label: text.operator.operations.title,
    group: text.navigation.operation,
    permissions: ['operation:read'],
    show: () => <Operations />,
  },
  {
    path: '/figures',
    label: text.operator.figures.title,
    group: text.navigation.operation,
    permissions: ['operation:read'],
    show: () => <Figures />,
  },
  {
    path: '/instances',
    label: text.operator.instances.title,
    group: text.navigation.operation,
    permissions: ['operation:read'],
    show: () => <Instances />,
  },
]
