/** Days and times as they are typed, and the keys of the calendar. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayByKey, dayInMonth } from '../../assets/console/component/calendar-days.ts'
import { dayIn, dayText, isDay, timeIn } from '../../assets/console/component/day-text.ts'

const today = '2026-03-05'

describe('A day', () => {
  it('is written as the language writes it', () => {
    assert.equal(dayText('2026-02-13', 'en-GB'), '13/02/2026')
    assert.equal(dayText('2026-02-13', 'de'), '13.02.2026')
    assert.equal(dayText('2026-02-13', 'fr'), '13/02/2026')
    assert.equal(dayText('soon', 'de'), 'soon')
  })

  it('is read in the order of the language, with any separator, or as the API has it', () => {
    for (const words of ['13.2.2026', '13/02/26', '13 2 2026', '13-2', '2026-02-13', '2026/2/13'])
      assert.equal(dayIn(words, 'de', today), '2026-02-13', words)
    assert.equal(dayIn('2/13/2026', 'en-US', today), '2026-02-13')
    assert.equal(dayIn('2/13', 'en-US', today), '2026-02-13')
  })

  it('is not read from what is none', () => {
    for (const words of [
      '',
      '31.02.2026',
      '13.13.2026',
      '13',
      'x',
      '1.2.3.4',
      '1.2.6',
      '1.2.126',
      '13.2.2026 9:30',
      'today-7',
    ])
      assert.equal(dayIn(words, 'de', today), null, words)
    assert.deepEqual(['2026-02-29', '2028-02-29', '2026-2-1'].map(isDay), [false, true, false])
  })

  it('is reached by the keys of a calendar', () => {
    const monday = 1
    const sunday = 7
    const reached = (key: string, firstDay = monday, isShifted = false) =>
      dayByKey(key, isShifted, today, firstDay) // a Thursday
    assert.equal(reached('ArrowLeft'), '2026-03-04')
    assert.equal(reached('ArrowUp'), '2026-02-26')
    assert.equal(reached('ArrowDown'), '2026-03-12')
    assert.deepEqual([reached('Home'), reached('End')], ['2026-03-02', '2026-03-08'])
    assert.deepEqual([reached('Home', sunday), reached('End', sunday)], ['2026-03-01', '2026-03-07'])
    assert.deepEqual([reached('PageUp'), reached('PageDown')], ['2026-02-05', '2026-04-05'])
    assert.equal(reached('PageDown', monday, true), '2027-03-05')
    assert.equal(reached('a'), null)
  })

  it('is the last one of a month that is too short', () => {
    assert.equal(dayInMonth('2026-01-31', 1), '2026-02-28')
    assert.equal(dayInMonth('2028-02-29', 12), '2029-02-28')
    assert.equal(dayInMonth('2026-01-31', -1), '2025-12-31')
    assert.equal(dayInMonth('2026-03-31', -1), '2026-02-28')
  })

  it('is none before the year 0 and after the year 9999', () => {
    for (const [day, keys, by] of [
      ['9999-12-31', ['ArrowRight', 'ArrowDown'], 1],
      ['0000-01-01', ['ArrowLeft', 'ArrowUp'], -1],
    ] as const) {
      for (const key of keys) assert.equal(dayByKey(key, false, day, 1), null, key)
      assert.equal(dayInMonth(day, by), day)
      assert.equal(dayInMonth(day, 12 * by), day)
    }
  })
})

describe('A time', () => {
  it('is read with its minutes, or without', () => {
    for (const words of ['9:30', '09.30', '9h30', '9 : 30', '0930', ' 9:30 '])
      assert.equal(timeIn(words), '09:30', words)
    assert.equal(timeIn('17'), '17:00')
  })

  it('is not read from what is none', () => {
    for (const words of ['', '24:00', '9:60', '9:3', 'noon', '9:30:00'])
      assert.equal(timeIn(words), null, words)
  })
})
