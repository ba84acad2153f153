/** How well the offline model understands: lists of sentences. What a list was understood of at first look is the honest measure; what it is now is kept. */
import { describe, expect, test } from 'vitest'
import { offlineModel } from '../src/offline/index.ts'
import { judge } from './offline-judge.ts'
import type { OfflineSentence } from './offline-sentence.ts'
import { offlineSentences } from './offline-sentences.ts'
import { blindSentences } from './offline-sentences-blind.ts'
import { secondBlindSentences } from './offline-sentences-blind-second.ts'
import { classSentences } from './offline-sentences-classes.ts'
import { counterSentences } from './offline-sentences-counters.ts'
import { errandSentences } from './offline-sentences-errands.ts'
import { heldOutSentences } from './offline-sentences-held-out.ts'
import { laterSentences } from './offline-sentences-later.ts'
import { placeSentences } from './offline-sentences-places.ts'
import { tradeSentences } from './offline-sentences-trades.ts'
import { trapSentences } from './offline-sentences-traps.ts'
import { wordingSentences } from './offline-sentences-wordings.ts'

const model = offlineModel()

interface Tally {
  readonly rate: number
  readonly wrong: readonly string[]
}

async function tally(sentences: readonly OfflineSentence[]): Promise<Tally> {
  const judged = await Promise.all(sentences.map(async (sentence) => ({ sentence, ...(await judge(model, sentence)) })))
  const wrong = judged.filter(({ verdict }) => verdict === 'wrong').map(({ sentence, calls }) => `${sentence.sentence} -> ${JSON.stringify(calls)}`)
  return { rate: judged.filter(({ verdict }) => verdict === 'right').length / judged.length, wrong }
}

const lists = {
  'the first list': offlineSentences,
  'the later list': laterSentences,
  'the held-out list, of which 79 % were understood at first look': heldOutSentences,
  'the list of classes': classSentences,
  'the list of trades, of which 72 % were understood at first look': tradeSentences,
  'the list of places, of which 75 % were understood at first look': placeSentences,
  'the list of errands, of which 50 % were understood at first look': errandSentences,
  'the list of traps': trapSentences,
  'the list of counters, of which 53 % were understood at first look': counterSentences,
  'the blind list of everyday errands, of which 80 % were understood at first look': blindSentences,
  'the second blind list, of which 98 % were understood at first look': secondBlindSentences,
  'the list of wordings': wordingSentences,
}

for (const [name, sentences] of Object.entries(lists)) {
  describe(name, () => {
    for (const language of ['en', 'zh'] as const) {
      const own = sentences.filter((sentence) => sentence.language === language)

      test(`at least nine of ten ${language} sentences get the right tool with the right arguments, and no other gets anything but a refusal`, async () => {
        const { rate, wrong } = await tally(own)
        expect(wrong).toEqual([])
        expect(rate).toBeGreaterThanOrEqual(0.9)
      })
    }

    test('whatever cannot be done is refused, and the refusal says what kind of model this is', async () => {
      const refusals = sentences.filter(({ expected }) => expected.kind === 'cannot')
      const { rate, wrong } = await tally(refusals)
      expect(refusals.length).toBeGreaterThan(0)
      expect(wrong).toEqual([])
      expect(rate).toBe(1)
    })
  })
}

test('the lists are long enough to mean something: at least 80 sentences, about half of them Chinese', () => {
  const all = Object.values(lists).flat()
  expect(offlineSentences.length).toBeGreaterThanOrEqual(80)
  for (const list of [offlineSentences, laterSentences, heldOutSentences, trapSentences])
    expect(list.filter(({ expected }) => expected.kind === 'cannot').length).toBeGreaterThanOrEqual(20)
  expect(all.filter(({ language }) => language === 'zh').length / all.length).toBeGreaterThan(0.45)
  // Whoever has not seen a list may write down a sentence of it.
  for (const sentences of Object.values(lists))
    expect(new Set(sentences.map(({ sentence, tools }) => `${tools} ${sentence}`)).size).toBe(sentences.length)
})

test('a judge that would accept anything would be found out: a model that calls nothing is right only where nothing is to be done', async () => {
  const silent = { ...model, doGenerate: (request: Parameters<typeof model.doGenerate>[0]) => model.doGenerate({ ...request, tools: [] }) }
  const verdicts = await Promise.all(offlineSentences.filter(({ expected }) => expected.kind === 'calls').map((sentence) => judge(silent, sentence)))
  expect(verdicts.filter(({ verdict }) => verdict === 'right')).toEqual([])
})
