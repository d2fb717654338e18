/** Pictures of an application: its panel and its page, texts with Markdown, work that has failed, figures of past hours. */
import type { Browser, Page } from 'playwright-core'
import { Type } from 'typebox'
import { comment, note } from '../../examples/helpdesk/comment.ts'
import { customer } from '../../examples/helpdesk/customer.ts'
import { team, teamMember } from '../../examples/helpdesk/team.ts'
import { ticket } from '../../examples/helpdesk/ticket.ts'
import { consolePage, setting } from '../../src/index.ts'
import { MailRefused } from '../../src/mail/transport/transport.ts'
import { migrated } from '../entity/migrated.ts'
import { enqueueFor, newWork, runInterval, workFeature } from '../jobs/work-feature.ts'
import { greet, greetingFeature } from '../mail/mail-feature.ts'
import { TestClock } from '../support/clock.ts'
import { control, openOwnConsole } from '../support/console.ts'
import { atAnyCost, startService, type TestService, type TestTenant } from '../support/service.ts'

type Take = (page: Page, name: string) => Promise<void>

const clock = new TestClock()
const work = newWork(() => {
  throw new Error('The number is secret.')
})
const quota = {
  name: 'quota',
  tenantSettings: { seats: setting(Type.Integer({ minimum: 1 }), { default: 3, host: true }) },
}
const pageOf = (folder: string) => consolePage(new URL(folder, import.meta.url))

export async function takeApplication(browser: Browser, take: Take): Promise<void> {
  const service = await startService(
    'sqlite',
    {},
    {
      ...atAnyCost,
      clock: clock.now,
      features: [
        ...migrated([team, teamMember, customer, ticket, comment, note]),
        workFeature(work, { retrySeconds: [] }),
        greetingFeature,
        quota,
      ],
      mailTransport: {
        send: async () => {
          throw new MailRefused('550 No such user')
        },
      },
      console: {
        pages: {
          workload: {
            label: 'Workload',
            icon: 'chart-bar',
            content: pageOf('../../examples/helpdesk/pages/workload/'),
          },
        },
        panels: {
          'customer-tickets': {
            label: 'Other tickets of the customer',
            place: 'row.side',
            entity: 'ticket',
            content: pageOf('../../examples/helpdesk/panels/customer-tickets/'),
          },
        },
      },
    },
  )
  try {
    const tenant = await service.newTenant({ id: 'rocket', name: 'Rocket Support' })
    const ticketId = await fill(tenant)
    await failWork(service, tenant.id)
    await takeTenant(browser, service, { tenant, ticketId, take })
    await takeHost(browser, service, take)
  } finally {
    await service.stop()
  }
}

const titles = [
  'Printer on fire in building two',
  'Invoice 1042 shows the wrong address',
  'Cannot sign in after changing phone',
  'Please add three seats',
  'Export has no column for the region',
  'Desk arrived with a scratch',
  'Webhook delivered twice',
  'How do we change the plan?',
  'Order 889 cannot be cancelled',
  'Two-factor code refused',
  'New warehouse address',
  'Label printer prints blank pages',
]

/** @returns the id of a ticket */
async function fill({ admin }: TestTenant): Promise<string> {
  const made = async (path: string, body: object): Promise<string> => (await admin.post(path, body)).body.id
  const { id: contactId } = (await admin.get('/api/auth/me')).body
  const teams = [
    await made('/api/teams', { name: 'Hardware' }),
    await made('/api/teams', { name: 'Accounts' }),
  ]
  const customers: string[] = []
  for (const name of ['Nordic Timber', 'Alder & Sons', 'Émile & Fils', 'Harbour Café'])
    customers.push(await made('/api/customers', { name, contactId }))
  const ids: string[] = []
  for (const [index, title] of titles.entries()) {
    const ids4 = { customerId: customers[index % 4], teamId: index % 3 === 2 ? null : teams[index % 2] }
    ids.push(await made('/api/tickets', { title, ...ids4, cost: index * 12.5 }))
    if (index % 5 === 4) await admin.post(`/api/tickets/${ids[index]}/close`)
  }
  const [ticketId = ''] = ids
  const first = 'The spare is a **Zeta 4200**: same labels, same driver.'
  for (const body of [first, 'Yes, please. The gate is open, ask at the reception.'])
    await made('/api/comments', { ticketId, body })
  return ticketId
}

async function failWork(service: TestService, tenantId: string): Promise<void> {
  for (const number of [1, 2]) await enqueueFor(service, tenantId, number)
  await greet(service, tenantId, 'ada@example.com')
  await service.service.queueWorkers.drain()
}

interface Filled {
  tenant: TestTenant
  ticketId: string
  take: Take
}

async function takeTenant(browser: Browser, service: TestService, { tenant, ticketId, take }: Filled) {
  const { page } = await openOwnConsole(browser, service, '', { tenantId: tenant.id })
  const open = (path: string) => goTo(page, `${service.url}/console${path}`)
  await take(page, 'first-steps')
  await open(`/entities/ticket/${ticketId}`)
  await take(page, 'panel')
  await open(`/entities/ticket/${ticketId}?tab=comment.ticketId`)
  await take(page, 'related')
  await open('/pages/workload')
  await take(page, 'application-page')
  await open(`/entities/comment/new?ticketId=${ticketId}`)
  await control(page, 'Body').fill(
    'The label printer started to smoke:\n\n- serial `ZT-88213`\n- it showed **E-52**',
  )
  await take(page, 'markdown')
  await page.getByRole('tab', { name: 'Preview' }).click()
  await take(page, 'markdown-preview')
  await open('/entities/ticket?layout=board&group=state')
  await take(page, 'board-actions')
  await open('/jobs')
  await take(page, 'jobs-dead')
  await open('/mails')
  await take(page, 'mails-dead')
  await takeBulk(page, open, take)
}

async function takeBulk(page: Page, open: (path: string) => Promise<void>, take: Take): Promise<void> {
  const choose = async () => {
    await open('/entities/ticket?state=open')
    await page.getByRole('checkbox', { name: 'Choose all rows of the page' }).check()
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await choose()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/bulk', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await take(page, 'bulk-progress')
  release()
  await page.getByText(/\d done\./).waitFor()
  await take(page, 'bulk-undo')
  await page.setViewportSize({ width: 1280, height: 800 })
  await open('/entities/ticket')
  await page.getByRole('checkbox', { name: `Choose ${titles[2]}` }).check()
  await page.getByRole('checkbox', { name: `Choose ${titles[1]}` }).check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).last().waitFor()
  await page.locator('.toast').last().hover()
  await take(page, 'trash-undo')
}

async function takeHost(browser: Browser, service: TestService, take: Take): Promise<void> {
  for (let minute = 0; minute < 90; minute += 1) {
    for (let count = 0; count < 1 + ((minute * 7) % 5); count += 1)
      await service.anonymous.get('/health/live')
    await runInterval(service, 'keep figures')
    clock.advance({ minutes: 1 })
  }
  const host = await openOwnConsole(browser, service, '', { tenantId: 'default', userName: 'admin' })
  const { page } = host
  const open = (path: string) => goTo(page, `${service.url}/console${path}`)
  await open('/dead-letters?of=jobs')
  await take(page, 'dead-jobs')
  await open('/dead-letters?of=mails')
  await take(page, 'dead-mails')
  for (const hours of [6, 24]) {
    await open('/figures')
    await page.getByRole('button', { name: `${hours} hours` }).click()
    await take(page, `figures-${hours}-hours`)
  }
  await open('/tenants/rocket')
  await page.getByRole('region', { name: 'Set by the operator' }).scrollIntoViewIfNeeded()
  await take(page, 'host-settings')
  await open('/health')
  await take(page, 'health-failed')
}

async function goTo(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('main h1').first().waitFor()
}
