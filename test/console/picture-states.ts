/** Pictures of what a user makes of a list: layouts, a row beside it, rows chosen, the palette, a form with a fault. */
import type { Browser, Page } from 'playwright-core'
import { openOwnConsole } from '../support/console.ts'
import type { TestService, TestTenant } from '../support/service.ts'
import { addTickets } from './ticket-scene.ts'

type Take = (page: Page, name: string) => Promise<void>

const subjects = [
  ['Printer on fire in building two', 'open', 1250],
  ['Invoice 1042 shows the wrong address', 'waiting', 80],
  ['Cannot sign in after changing phone', 'open', null],
  ['Please add three seats', 'closed', 540],
  ['Export has no column for the region', 'waiting', null],
  ['Desk arrived with a scratch', 'open', 199.9],
  ['Two lamps too many', 'closed', 79.8],
  ['When does the walnut desk come back?', 'waiting', null],
] as const

export async function takeStates(browser: Browser, service: TestService, tenant: TestTenant, take: Take) {
  const month = new Date().toISOString().slice(0, 8)
  const ids = await addTickets(
    tenant,
    subjects.map(([subject, status, budget], index) => ({
      subject,
      status,
      ...(budget !== null && { budget }),
      dueOn: `${month}${String(3 * index + 2).padStart(2, '0')}`,
      description: 'Somebody should look at it today.',
    })),
  )
  const [first = ''] = ids
  await tenant.admin.patch(`/api/tickets/${first}`, { status: 'waiting', budget: 1400 })
  const { page } = await openOwnConsole(browser, service, '', { tenantId: tenant.id })
  const open = async (path: string) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${service.url}/console${path}`)
    await page.locator('main h1').first().waitFor()
  }
  await open('/entities/ticket')
  await take(page, 'tickets')
  await open('/entities/ticket?layout=board&group=status')
  await take(page, 'board')
  await open('/entities/ticket?layout=calendar&group=dueOn')
  await take(page, 'calendar')
  await open('/entities/ticket?group=status')
  await take(page, 'grouped')
  await open(`/entities/ticket?peek=${first}`)
  await take(page, 'peek')
  await open('/entities/ticket')
  await page.getByRole('checkbox', { name: `Choose ${subjects[1][0]}`, exact: true }).check()
  await page.getByRole('checkbox', { name: `Choose ${subjects[4][0]}`, exact: true }).check()
  await take(page, 'bulk')
  await open('/entities/ticket')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to…' }).fill('print')
  await page
    .getByRole('option', { name: /Printer/ })
    .first()
    .waitFor()
  await take(page, 'palette')
  await open(`/entities/ticket/${first}`)
  await take(page, 'ticket')
  await open(`/entities/ticket/${first}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Budget' }).fill('-1')
  await page.getByRole('textbox', { name: 'Subject' }).fill('Printer on fire again')
  await page.keyboard.press('Control+s')
  await page
    .getByText(/to correct/)
    .first()
    .waitFor()
  await take(page, 'form-fault')
}
