/** The page of roles, as a matrix of permissions. One button saves all changed roles. */
import { ShieldCheck } from 'lucide'
import { useState } from 'preact/hooks'
import { ApiError, get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { mayLeaveUnsaved } from '../../component/leave.ts'
import { ErrorNotice } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { ifMatch } from '../../component/versioned-form.ts'
import { useLoaded } from '../../load.ts'
import { useLeaveGuard } from '../../router.ts'
import { text } from '../../text/text.ts'
import { permissionsOf } from './permissions.ts'
import { RoleDialog } from './role-dialog.tsx'
import { applied, type Draft, RoleMatrix, type RoleVersion, toggled } from './role-matrix.tsx'
import type { Permission, Role } from './types.ts'

const texts = text.administration.roles
/** The number of conflicting changes that are merged before the page shows the conflict. */
const maxMerges = 3

export function RolesPage() {
  const { can } = useApp()
  const { data, error, reload } = useLoaded('roles', loadRoles)
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map())
  /** The role in the dialog; `new` to create one. */
  const [opened, setOpened] = useState<Role | 'new' | null>(null)
  useLeaveGuard(drafts.size > 0, async () => (await mayLeaveUnsaved(false)) !== null)
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  const mayWrite = can('role:write')
  const discard = (name: string) => setDrafts((present) => without(present, name))
  const save = async () => {
    try {
      for (const each of data?.roles ?? []) {
        const draft = drafts.get(each.role.name)
        if (draft === undefined) continue
        await changeRole(each, draft)
        discard(each.role.name)
      }
    } finally {
      reload()
    }
  }
  return (
    <div class="stack">
      <PageHead icon={ShieldCheck} title={texts.title} subtitle={texts.hint}>
        {mayWrite && (
          <button type="button" class="main" onClick={() => setOpened('new')}>
            {text.action.newRow(texts.one)}
          </button>
        )}
      </PageHead>
      {drafts.size > 0 && (
        <div class="row save-bar">
          <ActionButton kind="main" act={save}>
            {texts.save(drafts.size)}
          </ActionButton>
          <button type="button" onClick={() => setDrafts(new Map())}>
            {texts.discard}
          </button>
        </div>
      )}
      <RoleMatrix
        permissions={data?.permissions ?? null}
        roles={data?.roles ?? []}
        drafts={drafts}
        mayWrite={mayWrite}
        onToggle={(role, permission) => setDrafts(toggled(drafts, role, permission))}
        onOpen={setOpened}
      />
      {opened !== null && (
        <RoleDialog
          role={opened === 'new' ? null : opened}
          onClose={() => setOpened(null)}
          onDone={() => {
            setOpened(null)
            reload()
          }}
        />
      )}
    </div>
  )
}

function without<V>(map: ReadonlyMap<string, V>, name: string): ReadonlyMap<string, V> {
  return new Map([...map].filter(([each]) => each !== name))
}

interface Roles {
  permissions: Permission[]
  roles: RoleVersion[]
}

/** Loads the roles. Built-in ones cannot be changed, so their versions are not read. */
async function loadRoles(signal: AbortSignal): Promise<Roles> {
  const [permissions, roles] = await Promise.all([
    permissionsOf(signal),
    get<Role[]>('/api/roles', { signal }),
  ])
  return { permissions, roles: await Promise.all(roles.map((role) => withVersion(role, signal))) }
}

async function withVersion(role: Role, signal?: AbortSignal): Promise<RoleVersion> {
  if (role.isBuiltIn) return { role, etag: null }
  const { body, headers } = await request<Role>(
    'GET',
    `/api/roles/${role.name}`,
    signal === undefined ? {} : { signal },
  )
  return { role: body, etag: headers.get('etag') }
}

/** Saves a role. If somebody else has changed it meanwhile, both changes of its permissions are kept. */
async function changeRole({ role, etag }: RoleVersion, draft: Draft, merges = maxMerges): Promise<void> {
  const body = { permissions: applied(draft, role) }
  try {
    await requestRecent('PUT', `/api/roles/${role.name}`, { body, headers: ifMatch(etag) })
  } catch (caught) {
    if (!(caught instanceof ApiError) || caught.status !== 412 || merges === 0) throw caught
    await changeRole(await withVersion(role), draft, merges - 1)
  }
}
