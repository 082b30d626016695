/** Registers what customer groups add to other domains: personal data. */
import './personal-data.ts';
