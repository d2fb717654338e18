/** The routes that request long operations, such as backups and moves, and that list them. */
import { listRoute } from '../../api/http/reply/list-route.ts'
import type { QueuedJob } from '../../core/feature/job.ts'
import { type Route, route } from '../../core/feature/route.ts'
import { listOperations, requestOperation, requireConfirmation } from './operation.ts'
import type { OperationData } from './run.ts'
import { EraseInput, MoveInput, RequestedOperation } from './schema.ts'

const common = { tag: 'Operation', database: 'catalogue', ids: 'text' } as const // tenants have texts as ids
const requesting = {
  ...common,
  method: 'POST',
  access: 'operation:write',
  status: 202,
  reply: RequestedOperation,
} as const
const follow = 'One operation runs at a time; `GET /api/operations` shows how far it is, and its result.'

export function operationRoutes(job: QueuedJob<OperationData>): Route[] {
  return [
    listRoute({
      ...common,
      path: '/api/operations',
      summary: 'List operations',
      name: 'listOperations',
      description:
        'For the host tenant: backups, exports, moves and erasures that were requested here, newest first.',
      access: 'operation:read',
      row: RequestedOperation,
      read: listOperations,
    }),
    route({
      ...requesting,
      path: '/api/backups',
      summary: 'Request a backup',
      name: 'requestBackup',
      description: `For the host tenant. The folder is in \`backups\` of \`DATA_DIR\`. ${follow}`,
      errors: ['conflict'],
      handle: (context) => requestOperation(context, job, { kind: 'backup', tenantId: null }),
    }),
    ...tenantOperationRoutes(job),
  ]
}

function tenantOperationRoutes(job: QueuedJob<OperationData>): Route[] {
  return [
    route({
      ...requesting,
      path: '/api/tenants/:id/export',
      summary: 'Request the export of a tenant',
      name: 'requestTenantExport',
      description: `For the host tenant. The archive is in \`exports\` of \`DATA_DIR\`. ${follow}`,
      errors: ['conflict', 'invalid', 'notFound'],
      handle: (context, { path }) => requestOperation(context, job, { kind: 'export', tenantId: path.id }),
    }),
    route({
      ...requesting,
      path: '/api/tenants/:id/move',
      summary: 'Request the move of a tenant to another database',
      name: 'requestTenantMove',
      description: `For the host tenant. The tenant is served meanwhile. The same request again continues a move that has failed. ${follow}`,
      body: MoveInput,
      errors: ['conflict', 'invalid', 'notFound'],
      handle: (context, { path, body }) =>
        requestOperation(context, job, { kind: 'move', tenantId: path.id, target: body }),
    }),
    route({
      ...requesting,
      path: '/api/tenants/:id/move/abandon',
      summary: 'Request that a move is abandoned',
      name: 'requestTenantMoveAbandonment',
      description: `For the host tenant. Before its switch, a move can be abandoned: the tenant stays where it is, and the copied rows are removed. ${follow}`,
      errors: ['conflict', 'invalid', 'notFound'],
      handle: (context, { path }) =>
        requestOperation(context, job, { kind: 'abandonMove', tenantId: path.id }),
    }),
    route({
      ...requesting,
      path: '/api/tenants/:id/erase',
      summary: 'Request the erasure of a tenant',
      name: 'requestTenantErasure',
      description: `For the host tenant. The tenant must be deactivated. An erasure cannot be undone. ${follow}`,
      body: EraseInput,
      errors: ['conflict', 'invalid', 'notFound'],
      handle: (context, { path, body }) => {
        const tenantId = path.id
        requireConfirmation(tenantId, body.confirm)
        return requestOperation(context, job, { kind: 'erase', tenantId })
      },
    }),
  ]
}
