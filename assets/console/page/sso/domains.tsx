/** The domains of the tenant. A DNS record proves that the tenant owns a domain. */
import { useState } from 'preact/hooks'
import { get } from '../../api.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { CopyButton } from '../../component/secret.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'

const texts = text.access.sso
const { common } = text.administration
const path = '/api/tenant/sso/domains'

interface Domain {
  domain: string
  isVerified: boolean
  recordName: string
  recordValue: string
}

export function Domains({ mayWrite }: { mayWrite: boolean }) {
  const loaded = useLoaded(path, (signal) => get<Domain[]>(path, { signal }))
  return (
    <section class="stack">
      <h2>{texts.domains}</h2>
      <p class="soft">{texts.domainsHint}</p>
      <DataTable
        label={texts.domains}
        columns={mayWrite ? [...columns, actionsColumn(loaded.reload)] : columns}
        loaded={loaded}
        keyOf={({ domain }) => domain}
        empty={<p>{texts.noDomains}</p>}
      />
      {mayWrite && <AddDomain onAdded={loaded.reload} />}
    </section>
  )
}

const columns: readonly Column<Domain>[] = [
  { label: texts.domain, show: ({ domain }) => domain },
  {
    label: common.state,
    show: ({ isVerified }) => (
      <span class={isVerified ? 'badge good' : 'badge'}>
        {isVerified ? texts.verified : texts.unverified}
      </span>
    ),
  },
  {
    label: texts.record,
    show: ({ recordName, recordValue }) => (
      <span class="names">
        <code class="wrap">{recordName}</code>
        <code class="wrap">{recordValue}</code>
        <span class="actions">
          <CopyButton value={recordName} label={texts.copyName} />
          <CopyButton value={recordValue} label={texts.copyText} />
        </span>
      </span>
    ),
  },
]

function actionsColumn(reload: () => void): Column<Domain> {
  const addressOf = (domain: string) => `${path}/${encodeURIComponent(domain)}`
  return {
    label: common.actions,
    isAction: true,
    show: ({ domain, isVerified }) => (
      <span class="actions">
        {!isVerified && (
          <ActionButton
            act={async () => {
              await requestRecent('POST', `${addressOf(domain)}/verify`)
              reload()
            }}
          >
            {texts.verify}
          </ActionButton>
        )}
        <ActionButton
          kind="danger"
          question={texts.confirmDomain(domain)}
          act={async () => {
            await requestRecent('DELETE', addressOf(domain))
            reload()
          }}
        >
          {text.action.remove}
        </ActionButton>
      </span>
    ),
  }
}

function AddDomain({ onAdded }: { onAdded: () => void }) {
  const [count, setCount] = useState(0)
  return (
    <Form
      key={count}
      initial={{ domain: '' }}
      button={texts.addDomain}
      submit={async (body) => {
        await requestRecent('POST', path, { body })
        setCount(count + 1)
        onAdded()
      }}
    >
      {(form) => (
        <TextField form={form} name="domain" label={texts.domain} hint={texts.domainHint} isRequired />
      )}
    </Form>
  )
}
