/** The page of users. Administrators of the host also see the users of any tenant, or of all. */
import { Users } from 'lucide'
import { isHostAdmin } from '../../access.ts'
import { useApp } from '../../app-context.ts'
import { moment, plain } from '../../component/columns.tsx'
import type { Column } from '../../component/data-table.tsx'
import type { Filter } from '../../component/filters.tsx'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { Badge } from '../../component/status-badge.tsx'
import { hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'
import { findTenants } from '../finders.ts'
import { TenantName, tenantNameOf } from '../tenant-name.tsx'
import { ActiveBadge } from './active-badge.tsx'
import type { User } from './types.ts'
import { EditUser, NewUser } from './user.tsx'

const texts = text.administration.users
const { common } = text.administration
/** The id in the address that means all tenants. No tenant has such an id. */
const allTenants = '*'

export function UsersPage() {
  const { path, query } = usePlace()
  const [, , id] = path.split('/')
  if (id === 'new') return <NewUser />
  if (id !== undefined) return <EditUser key={id} id={id} />
  // The key makes a new list for another tenant, so that the former users are not shown while the new ones are loaded.
  return <UserList key={query.get('tenantId')} />
}

const users: Resource<User> = {
  path: '/api/users',
  title: texts.title,
  text: texts.text,
  icon: Users,
  none: texts.none,
  isCounted: true,
  hrefOf: ({ id }) => hrefOf(`/users/${id}`),
  filters: [
    { name: 'search', label: texts.search, kind: 'search' },
    { name: 'tenantId', label: common.ofTenant, kind: 'hidden', isNoFilter: true },
    {
      name: 'isActive',
      label: common.state,
      kind: [
        ['true', common.active],
        ['false', common.inactive],
      ],
    },
  ],
  columns: [
    plain(texts.userName, 'userName'),
    { label: common.name, show: ({ firstName, lastName }) => `${firstName} ${lastName}` },
    plain(texts.email, 'email'),
    {
      label: texts.roles,
      show: ({ roles }) => (
        <span class="row">
          {roles.map((role) => (
            <Badge key={role}>{role}</Badge>
          ))}
        </span>
      ),
    },
    { label: common.state, show: ({ isActive }) => <ActiveBadge isActive={isActive} /> },
    moment(common.createdAt, 'createdAt'),
  ],
}

const tenantColumn: Column<User> = {
  label: common.ofTenant,
  show: ({ tenantId }) => <TenantName id={tenantId} href={hrefOf('/users', { tenantId })} />,
}

const finder: Filter = {
  name: 'tenantId',
  label: common.ofTenant,
  isNoFilter: true,
  kind: {
    permission: 'tenant:read',
    find: async (typed, signal) => {
      const found = await findTenants(typed, signal)
      return typed === '' ? [[allTenants, texts.ofAllTenants], ...found] : found
    },
    nameOf: (id) => (id === allTenants ? Promise.resolve(texts.ofAllTenants) : tenantNameOf(id)),
  },
}

const ofAnother: Resource<User> = {
  ...users,
  filters: (users.filters ?? []).map((filter) => (filter.name === finder.name ? finder : filter)),
}
const [nameColumn, ...otherColumns] = users.columns
const ofAll = { ...ofAnother, columns: [nameColumn, tenantColumn, ...otherColumns] as typeof users.columns } // it is not empty

function UserList() {
  const { user, can } = useApp()
  const tenantId = usePlace().query.get('tenantId') ?? user.tenantId
  const isOfAll = tenantId === allTenants
  const list = useList<User>({
    ...users,
    sent: ({ tenantId: _asked, ...query }) => (isOfAll ? query : { ...query, tenantId }),
  })
  const href = hrefOf('/users/new', isOfAll || tenantId === user.tenantId ? {} : { tenantId })
  return (
    <ListPage
      resource={isOfAll ? ofAll : isHostAdmin(user) ? ofAnother : users}
      list={list}
      action={
        can('user:write') && (
          <a class="button main" href={href}>
            {text.action.newRow(texts.one)}
          </a>
        )
      }
    />
  )
}
