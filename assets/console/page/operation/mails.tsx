/** The page of the tenant's mails: sent and failed ones, which can be tried again. */
import { Mail as MailIcon } from 'lucide'
import { useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { code, figure, moment, plain, status } from '../../component/columns.tsx'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { statusChoices } from '../../component/status-badge.tsx'
import { text } from '../../text/text.ts'
import { type Mail, MailDialog } from './mail-dialog.tsx'

const texts = text.administration.mails
const { common } = text.administration

const mails: Resource<Mail> = {
  path: '/api/mails',
  title: texts.title,
  text: texts.text,
  icon: MailIcon,
  none: texts.none,
  filters: [
    { name: 'status', label: common.state, kind: statusChoices(['PENDING', 'SENT', 'DEAD']) },
    { name: 'recipient', label: texts.recipient, kind: 'text' },
    { name: 'template', label: texts.template, kind: 'text' },
    { name: 'error', label: common.error, kind: 'text' },
  ],
  columns: [
    plain(texts.recipient, 'recipient'),
    code(texts.template, 'template'),
    status(common.state, 'status'),
    figure(common.attempts, 'attempts'),
    plain(common.error, 'error'),
    moment(common.createdAt, 'createdAt'),
    moment(texts.sentAt, 'sentAt'),
  ],
}

export function MailsPage() {
  const { can } = useApp()
  const list = useList<Mail>(mails)
  const [opened, setOpened] = useState<Mail | null>(null)
  const retry = async (id: string) => {
    await request('POST', `/api/mails/${id}/retry`)
    list.reload()
  }
  return (
    <ListPage<Mail>
      resource={mails}
      list={list}
      onOpen={setOpened}
      actionsOf={
        can('mail:write') &&
        (({ id, isRetriable }) =>
          isRetriable && <ActionButton act={() => retry(id)}>{text.action.retry}</ActionButton>)
      }
    >
      {opened !== null && <MailDialog mail={opened} onClose={() => setOpened(null)} />}
    </ListPage>
  )
}
