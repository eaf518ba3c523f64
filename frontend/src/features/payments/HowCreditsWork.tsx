import { hourPriceInDollars, minutePrice, summaryPrice } from '../credits/prices.ts'
import classes from './HowCreditsWork.module.css'

export function HowCreditsWork() {
  return (
    <section className={classes.box} aria-labelledby="how-credits-work">
      <h2 id="how-credits-work" className={classes.title}>
        How Credits Work
      </h2>
      <ul className={classes.list}>
        <li>Credits pay for transcripts and AI summaries.</li>
        <li>
          {`Transcripts cost ${minutePrice} credits per minute of audio (${hourPriceInDollars}/hour). Each started minute is charged.`}
        </li>
        <li>{`AI summaries cost ${summaryPrice} credits each, flat.`}</li>
        <li>Credits never expire.</li>
      </ul>
    </section>
  )
}
