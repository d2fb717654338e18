/** The work that waits for a user with these permissions, such as failed deliveries. */
import { CircleCheck } from 'lucide'
import { Icon } from '../../component/icon.tsx'
import { hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import type { HomeData } from './home-data.ts'

const places: Readonly<Record<string, { href: string; tone: string }>> = {
  failedDeliveries: { href: hrefOf('/deliveries', { status: 'DEAD' }), tone: 'bad' },
  failedJobs: { href: hrefOf('/jobs', { status: 'DEAD' }), tone: 'bad' },
  failedMails: { href: hrefOf('/mails', { status: 'DEAD' }), tone: 'bad' },
  waitingSignUps: { href: hrefOf('/sign-ups'), tone: 'warn' },
}

export function NeedsYou({ waiting }: { waiting: HomeData['needsYou'] | null }) {
  return (
    <section class="card lines">
      <h2>{text.home.needsYou}</h2>
      {waiting?.length === 0 && (
        <p class="row soft">
          <Icon node={CircleCheck} class="good" />
          {text.home.nothingWaits}
        </p>
      )}
      <ul>
        {waiting?.map(({ kind, count, isCapped }) => {
          const { href = hrefOf('/'), tone = 'info' } = places[kind] ?? {}
          return (
            <li key={kind}>
              <a href={href}>
                <span class={`badge figures ${tone}`}>
                  {isCapped ? text.home.counted(`${count}`) : count}
                </span>
                <span class="truncate">{text.home.waiting[kind] ?? kind}</span>
                <span class="soft end">{text.home.open}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
