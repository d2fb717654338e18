/** Shows the state of a tenant's database, with a button that ends an unfinished move. */
import { get } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { useLoaded } from '../../load.ts'
import { goTo, hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import type { TenantDatabase } from './tenant-type.ts'

const texts = text.administration.tenants

export function TenantDatabaseState({ path }: { path: string }) {
  const address = `${path}/database`
  const { data, error, isLoading, reload } = useLoaded(address, (signal) =>
    get<TenantDatabase>(address, { signal }),
  )
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  return (
    <section class="card stack" aria-busy={isLoading}>
      <div class="row">
        <h2>{texts.database}</h2>
        {data !== null && (
          <>
            <span>{texts.databaseKinds[data.kind] ?? data.kind}</span>
            <span class={badges[data.status] ?? 'badge bad'}>
              {texts.databaseStates[data.status] ?? data.status}
            </span>
          </>
        )}
        <button type="button" class="end" onClick={reload}>
          {text.administration.common.reload}
        </button>
      </div>
      {data !== null && data.message !== null && <p class="notice bad">{data.message}</p>}
      {data?.isMoving === true && <UnfinishedMove path={path} />}
    </section>
  )
}

function UnfinishedMove({ path }: { path: string }) {
  const { can } = useApp()
  const { move } = text.operator
  const abandon = async () => {
    await requestRecent('POST', `${path}/move/abandon`)
    goTo(hrefOf('/operations'))
  }
  return (
    <div class="notice warn stack">
      <p>{move.unfinished}</p>
      {can('operation:write') && (
        <>
          <p>{move.unfinishedHint}</p>
          <div class="row">
            <ActionButton act={abandon} question={move.abandonQuestion}>
              {move.abandon}
            </ActionButton>
          </div>
        </>
      )}
    </div>
  )
}

const badges: Record<string, string> = { ready: 'badge good', pending: 'badge' }
