/** What becomes of a form whose values are on their way, without a browser. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sendingOf } from '../../assets/console/component/sending.ts'

interface Desk {
  name: string
  note: string
  price: number
}

const sent: Desk = { name: 'Oak', note: '', price: 1 }

/** A form that has `now`, of which `sent` is on its way. */
function formWith(now: Desk) {
  const form = { now, base: sent, mayBeLeft: false }
  const sending = sendingOf(sent, {
    typed: () => form.now,
    draw: (values, base) => Object.assign(form, { now: values, base }),
    allowLeaving: () => {
      form.mayBeLeft = true
    },
  })
  return { form, sending }
}

describe('A form whose values are on their way', () => {
  it('shows what is stored, and may be left, if nothing was typed since', () => {
    const { form, sending } = formWith(sent)
    sending.show({ ...sent, price: 2 })
    assert.deepEqual(form.now, { ...sent, price: 2 })
    assert.equal(sending.isAll(), true)
    assert.ok(form.mayBeLeft)
  })

  it('keeps the members that were typed since, and takes the others as they are stored', () => {
    const { form, sending } = formWith({ ...sent, name: 'Oak desk' })
    sending.show({ ...sent, name: 'OAK', price: 2 })
    assert.deepEqual(form.now, { name: 'Oak desk', note: '', price: 2 })
    assert.deepEqual(form.base, { name: 'OAK', note: '', price: 2 })
    assert.equal(sending.isAll(), false)
    assert.equal(form.mayBeLeft, false)
  })

  it('keeps them through a merge with what somebody else has stored meanwhile', () => {
    const { form, sending } = formWith(sent)
    form.now = { ...sent, name: 'Oak d' }
    sending.show({ ...sent, price: 3 }, { name: 'Elm', note: '', price: 3 })
    form.now = { ...form.now, name: 'Oak desk' }
    sending.show({ ...sent, price: 3 })
    assert.deepEqual(form.now, { name: 'Oak desk', note: '', price: 3 })
    assert.equal(sending.isAll(), false)
  })

  it('hands what it has over to another form', () => {
    const { form, sending } = formWith({ ...sent, note: 'since' })
    assert.deepEqual(sending.handOver(), { ...sent, note: 'since' })
    assert.ok(form.mayBeLeft)
  })
})
