/** The users of the tenant; administrators of the host see those of any tenant, or of all. */
import { Users } from 'lucide'
import { isHostAdmin } from '../../access.ts'
import { get } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { moment, plain } from '../../component/columns.tsx'
import type { Column } from '../../component/data-table.tsx'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { Badge } from '../../component/status-badge.tsx'
import { useLoaded } from '../../load.ts'
import { hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'
import { ActiveBadge } from './active-badge.tsx'
import type { User } from './types.ts'
import { EditUser, NewUser } from './user.tsx'

const texts = text.administration.users
const { common } = text.administration
/** It stands for all tenants in the address; no tenant has such an id. */
const allTenants = '*'

export function UsersPage() {
  const { path, query } = usePlace()
  const [, , id] = path.split('/')
  if (id === 'new') return <NewUser />
  if (id !== undefined) return <EditUser key={id} id={id} />
  // The users of another tenant are not shown under the name of this one while they are loaded.
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
  show: ({ tenantId }) => <a href={hrefOf('/users', { tenantId })}>{tenantId}</a>,
}

const [nameColumn, ...otherColumns] = users.columns
const ofAll = { ...users, columns: [nameColumn, tenantColumn, ...otherColumns] as typeof users.columns } // the first is there

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
      resource={isOfAll ? ofAll : users}
      list={list}
      action={
        can('user:write') && (
          <a class="button main" href={href}>
            {text.action.newRow(texts.one)}
          </a>
        )
      }
      filterEnd={
        isHostAdmin(user) && (
          <TenantChoice
            value={tenantId}
            onChange={(id) => list.show({ tenantId: id === user.tenantId ? null : id })}
          />
        )
      }
    />
  )
}

function TenantChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data } = useLoaded('tenants', (signal) =>
    get<{ id: string; name: string }[]>('/api/tenants', { signal }),
  )
  // Not yet, or an address with the id in other letters.
  const isKnown = value === allTenants || data?.some(({ id }) => id === value) === true
  return (
    <select
      class="inline"
      aria-label={common.ofTenant}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value={allTenants}>{texts.ofAllTenants}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {data?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
