/* chart.h: figures as SVG: bars or lines over groups, one for each series, with a legend. */
#ifndef BENCH_CHART_H
#define BENCH_CHART_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { CHART_GROUPS = 25, CHART_SERIES = 12 };

typedef struct chart {
    const char *title, *unit; /* of the values */
    const char *groups_are;   /* below the axis */
    size_t groups, series;
    const char *group[CHART_GROUPS], *name[CHART_SERIES];
    double value[CHART_SERIES][CHART_GROUPS]; /* 0: there is none */
    bool lines;
    bool decades;             /* a logarithmic axis */
} chart;

enum { CHART_WIDTH = 720, CHART_HEIGHT = 420, CHART_LEFT = 70, CHART_TOP = 40, CHART_RIGHT = 710, CHART_FOOT = 300 };

/* A step of 1, 2 or 5 times a power of ten, of which at most `most` reach up to x. */
static double chart_step(double x, double most)
{
    const double power = pow(10, floor(log10(x / most)));
    return power * most >= x ? power : 2 * power * most >= x ? 2 * power : 5 * power * most >= x ? 5 * power : 10 * power;
}
/* Where a value is drawn. */
static double chart_y(const chart *c, double value, double least, double most)
{
    const double part = c->decades ? log(value / least) / log(most / least) : value / most;
    return CHART_FOOT - (CHART_FOOT - CHART_TOP) * fmin(fmax(part, 0), 1);
}
static bool chart_draw(const chart *c, const char *path)
{
    static const char *const color[CHART_SERIES] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b",
                                                    "#e377c2", "#7f7f7f", "#bcbd22", "#17becf", "#393b79", "#637939"};
    double least = HUGE_VAL, most = 0;
    FILE *f = fopen(path, "wb");
    if (!f) return false;
    for (size_t s = 0; s < c->series; s++)
        for (size_t g = 0; g < c->groups; g++)
            if (c->value[s][g] > 0) least = fmin(least, c->value[s][g]), most = fmax(most, c->value[s][g]);
    if (most == 0) least = most = 1;
    least = pow(10, floor(log10(least * 0.9)));
    const double top = c->decades ? pow(10, ceil(log10(most * 1.01))) : most * 1.05, step = chart_step(top, 6);
    const double width = (double)(CHART_RIGHT - CHART_LEFT) / (double)c->groups, bar = width * 0.84 / (double)c->series;
    fprintf(f, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>\n",
            CHART_WIDTH, CHART_HEIGHT);
    fprintf(f, "<rect width='100%%' height='100%%' fill='white'/>\n<text x='%d' y='16' font-size='14'>%s</text>\n", CHART_LEFT,
            c->title);
    fprintf(f, "<text x='%d' y='32'>%s</text>\n", CHART_LEFT, c->unit);
    for (double v = c->decades ? least : 0; v <= top * 1.0001; v = c->decades ? v * 10 : v + step) {
        const double y = chart_y(c, v, least, top);
        fprintf(f, "<path d='M%d %.1fH%d' stroke='#ddd'/><text x='%d' y='%.1f' text-anchor='end'>%.4g</text>\n", CHART_LEFT, y,
                CHART_RIGHT, CHART_LEFT - 6, y + 4, v);
    }
    for (size_t g = 0; g < c->groups; g++)
        fprintf(f, "<text x='%.1f' y='%d' text-anchor='middle'>%s</text>\n", CHART_LEFT + width * ((double)g + 0.5),
                CHART_FOOT + 18, c->group[g]);
    fprintf(f, "<text x='%d' y='%d' text-anchor='middle'>%s</text>\n", (CHART_LEFT + CHART_RIGHT) / 2, CHART_FOOT + 36,
            c->groups_are);
    for (size_t s = 0; s < c->series; s++) {
        const double column = (double)(s % 3) * 215, line = (double)(s / 3) * 18;
        fprintf(f, "<rect x='%.1f' y='%.1f' width='10' height='10' fill='%s'/><text x='%.1f' y='%.1f'>%s</text>\n",
                CHART_LEFT + column, CHART_FOOT + 46 + line, color[s], CHART_LEFT + column + 14, CHART_FOOT + 55 + line,
                c->name[s]);
        if (c->lines) fprintf(f, "<polyline fill='none' stroke-width='2' stroke='%s' points='", color[s]);
        for (size_t g = 0; g < c->groups; g++) {
            const double x = CHART_LEFT + width * (double)g, y = chart_y(c, c->value[s][g], least, top);
            if (c->value[s][g] <= 0) continue;
            if (c->lines) fprintf(f, "%.1f,%.1f ", x + width / 2, y);
            else
                fprintf(f, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'/>\n",
                        x + width * 0.08 + bar * (double)s, y, bar * 0.92, CHART_FOOT - y, color[s]);
        }
        if (c->lines) fprintf(f, "'/>\n");
    }
    fprintf(f, "</svg>\n");
    return fclose(f) == 0;
}

#endif /* BENCH_CHART_H */
