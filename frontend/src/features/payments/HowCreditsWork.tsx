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
          Transcripts cost 0.01 credits per minute of audio ($0.60/hour). Each started minute is charged.
        </li>
        <li>AI summaries cost 0.05 credits each, flat.</li>
        <li>Credits never expire.</li>
      </ul>
    </section>
  )
}
