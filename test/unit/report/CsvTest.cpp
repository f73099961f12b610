// Comma-separated values.
#include "Sample.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::report;

static const std::string Head =
    "record,path,line,kernel,target,rewrite,alternative,safety,state,text,"
    "vgprs_before,vgprs_after,sgprs_before,sgprs_after,spills_before,"
    "spills_after,scratch_before,scratch_after,lds_before,lds_after,"
    "occupancy_before,occupancy_after,occupancy_max,est_cycles_before,"
    "est_cycles_after,time_ns_before,time_ns_after,speedup,"
    "vgprs_allocated_before,vgprs_allocated_after,sgprs_allocated_before,"
    "sgprs_allocated_after,wave_size,column\n";

TEST(Csv, ARecordAKernelAnEditAndAFailedFile) {
  EXPECT_EQ(
      written(writeCsv, sample()),
      Head + "kernel,k.cl,3,k,gpu,,,,,,37,24,,,,,,,,,6,10,10,,,,,,,,,,,\n"
             "edit,k.cl,4,k,,r,way,exact,left,gpu: occupancy rises "
             "from 6 to 10,,,,,,,,,,,,,,,,,,,,,,,,\n"
             "problem,bad.cl,,,,,,,,does not parse,,,,,,,,,,,,,,,,,,,,,,,,\n");
}

TEST(Csv, AnEditHasARecordADelta) {
  Report R = sample();
  select::Selection &S = R.Files[0].Result;
  measure::PairedTime T;
  T.BeforeNs = 638000;
  T.AfterNs = 113200;
  T.Ratio = 5.64;
  S.Outcomes[0].Deltas = {
      {"k", "gpu", S.Before[0].Kernels[0], S.After[0].Kernels[0], T}};
  EXPECT_NE(written(writeCsv, R)
                .find("\nedit,k.cl,4,k,gpu,r,way,exact,left,gpu: occupancy "
                      "rises from 6 to 10,37,24,,,,,,,,,6,10,10,,,638000,"
                      "113200,5.640,,,,,,\n"),
            std::string::npos);
}

TEST(Csv, AllocatedRegistersAndTheWaveSizeComeLast) {
  Report R = sample();
  measure::Usage &B = R.Files[0].Result.Before[0].Kernels[0].Figures;
  measure::Usage &N = R.Files[0].Result.After[0].Kernels[0].Figures;
  B.VgprsAllocated = 40;
  N.VgprsAllocated = 24;
  B.SgprsAllocated = N.SgprsAllocated = 16;
  N.WaveSize = 64;
  EXPECT_NE(written(writeCsv, R).find("6,10,10,,,,,,40,24,16,16,64,\n"),
            std::string::npos);
}

TEST(Csv, QuotesWhatPartsCells) {
  Report R;
  FileReport F;
  F.Path = "a,\"b\".cl";
  F.Problem = "two\nlines";
  R.Files = {F};
  EXPECT_EQ(written(writeCsv, R),
            Head + "problem,\"a,\"\"b\"\".cl\",,,,,,,,\"two\nlines\""
                   ",,,,,,,,,,,,,,,,,,,,,,,,\n");
}

TEST(Csv, ARecordAnErrorOfTheCompiler) {
  Report R = sample();
  R.Files[1].Errors = {{"bad.cl", 3, 14, "expected ';'"}};
  EXPECT_NE(
      written(writeCsv, R)
          .find("\nerror,bad.cl,3,,,,,,,expected ';',,,,,,,,,,,,,,,,,,,,,,,,"
                "14\n"),
      std::string::npos);
}

TEST(Csv, NamesThatAreNoUtf8AreMadeThat) {
  Report R = sample();
  R.Files = {R.Files[1]};
  R.Files[0].Path = "caf\xe9.cl";
  EXPECT_NE(written(writeCsv, R).find("caf\xef\xbf\xbd.cl"), std::string::npos);
}
