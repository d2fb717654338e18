/** Lists and creates the user's passkeys, and shows the recovery codes that come with the first factor. */
import { useState } from 'preact/hooks'
import { get } from '../../api.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { moment } from '../../component/columns.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import { canMakePasskeys, makePasskey, type Passkey, passkeyPath } from './make-passkey.ts'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

const texts = text.access.passkeys
const { common } = text.administration

const columns: readonly Column<Passkey>[] = [
  { label: common.name, show: ({ name }) => name },
  moment(common.createdAt, 'createdAt'),
  moment(common.lastUsedAt, 'lastUsedAt', common.never),
]

/** @param onChange called when the second factors of the user may have changed */
export function Passkeys({ onChange }: { onChange: () => void }) {
  const loaded = useLoaded(passkeyPath, (signal) => get<Passkey[]>(passkeyPath, { signal }))
  const [named, setNamed] = useState<Passkey | 'new' | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const update = () => {
    setNamed(null)
    loaded.reload()
    onChange()
  }
  const submit = async (name: string) => {
    if (named === 'new') setCodes((await makePasskey(name)).recoveryCodes)
    else if (named !== null) await requestRecent('PUT', `${passkeyPath}/${named.id}`, { body: { name } })
    update()
  }
  const remove = async ({ id }: Passkey) => {
    await requestRecent('DELETE', `${passkeyPath}/${id}`)
    setCodes(null)
    update()
  }
  const actions: Column<Passkey> = {
    label: common.actions,
    isAction: true,
    show: (passkey) => (
      <span class="actions">
        <button type="button" onClick={() => setNamed(passkey)}>
          {texts.rename}
        </button>
        <ActionButton kind="danger" question={texts.confirmRemove(passkey.name)} act={() => remove(passkey)}>
          {text.action.remove}
        </ActionButton>
      </span>
    ),
  }
  return (
    <section class="card stack">
      <h2>{texts.title}</h2>
      {codes !== null && <RecoveryCodes codes={codes} />}
      <DataTable
        label={texts.title}
        columns={[...columns, actions]}
        loaded={loaded}
        keyOf={({ id }) => id}
        empty={<p>{texts.none}</p>}
      />
      {canMakePasskeys() ? (
        <div class="row">
          <button type="button" onClick={() => setNamed('new')}>
            {texts.add}
          </button>
        </div>
      ) : (
        <p class="soft">{texts.unsupported}</p>
      )}
      {named !== null && (
        <PasskeyDialog
          title={named === 'new' ? texts.add : texts.rename}
          name={named === 'new' ? '' : named.name}
          submit={submit}
          onClose={() => setNamed(null)}
        />
      )}
    </section>
  )
}
