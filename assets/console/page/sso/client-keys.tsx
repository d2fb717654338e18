/** The keys with which the service authenticates at the identity provider: the present one and the next one. */
import { get } from '../../api.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { moment } from '../../component/columns.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { CopyButton } from '../../component/secret.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'

const texts = text.access.sso
const { common } = text.administration
const path = '/api/tenant/sso/client-keys'

interface ClientKey {
  id: string
  isSigning: boolean
  publicKey: { alg: string }
  createdAt: string
}

export function ClientKeys({ mayWrite }: { mayWrite: boolean }) {
  const loaded = useLoaded(path, (signal) => get<ClientKey[]>(path, { signal }))
  const act = async (address: string) => {
    await requestRecent('POST', address, { body: {} })
    loaded.reload()
  }
  return (
    <section class="stack">
      <h3>{texts.keys}</h3>
      <p class="soft">{texts.keysHint}</p>
      <DataTable
        label={texts.keys}
        columns={mayWrite ? [...columns, activateColumn(act)] : columns}
        loaded={loaded}
        keyOf={({ id }) => id}
        empty={<p>{texts.noKeys}</p>}
      />
      {mayWrite && (
        <div class="row">
          <ActionButton act={() => act(path)}>{texts.makeKey}</ActionButton>
        </div>
      )}
    </section>
  )
}

const columns: readonly Column<ClientKey>[] = [
  {
    label: texts.key,
    show: ({ id, publicKey }) => (
      <span class="names">
        <code class="wrap">{`${publicKey.alg} ${id}`}</code>
        <CopyButton value={JSON.stringify(publicKey)} label={texts.copyKey} />
      </span>
    ),
  },
  {
    label: common.state,
    show: ({ isSigning }) => (
      <span class={isSigning ? 'badge good' : 'badge'}>{isSigning ? texts.signs : texts.waits}</span>
    ),
  },
  moment(common.createdAt, 'createdAt'),
]

function activateColumn(act: (address: string) => Promise<void>): Column<ClientKey> {
  return {
    label: common.actions,
    isAction: true,
    show: ({ id, isSigning }) =>
      !isSigning && (
        <ActionButton question={texts.confirmActivate} act={() => act(`${path}/${id}/activate`)}>
          {texts.activate}
        </ActionButton>
      ),
  }
}
